/** A bar that shows how much of something is done. */

/** The bar. `share` from 0 to 1; null while it is not known. `label` says what is done. */
export function ProgressBar({ share, label }: { readonly share: number | null; readonly label: string }) {
  const percent = share === null ? undefined : Math.round(share * 100);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="block h-1 w-full overflow-hidden rounded-full bg-line"
    >
      <span
        className="block h-full rounded-full bg-accent transition-[width] duration-200"
        style={{ width: `${percent ?? 0}%` }}
      />
    </span>
  );
}
