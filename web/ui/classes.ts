/** Joins class names; of two that set the same property the later one stays. */
import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

export const classes = (...values: readonly ClassValue[]): string => twMerge(clsx(values));
