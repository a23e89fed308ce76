import { useCallback, useState } from "react";

/** Throws an error of an effect or a callback into rendering, so that the error page shows. */
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
