import { useCallback, useState } from "react";

/** Throws into the page what failed after it was drawn: its error page says so, and offers to try again. */
export function useThrow(): (error: unknown) => void {
  const [, setState] = useState();
  return useCallback(
    (error) =>
      setState(() => {
        throw error;
      }),
    [],
  );
}
