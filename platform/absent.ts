/** Files that may not exist. */

/** A handler for `.catch` of a file operation: returns `otherwise` if the file or directory does not exist, and throws other errors. */
export const ifAbsent =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  };
