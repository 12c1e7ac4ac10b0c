/** The widths of the page. */

/** The slide stands beside the findings from this width on, above them below it. */
export const IS_WIDE = '(min-width: 1000px)';
