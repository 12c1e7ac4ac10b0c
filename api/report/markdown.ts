export const renderMarkdown = (r: unknown): string => String(r);
