export const renderHtml = (r: unknown, _i: unknown): string => String(r);
