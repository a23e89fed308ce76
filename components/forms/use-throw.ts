import { useCallback, useState } from "react";

/** Throws an error from an effect or a callback during rendering, so that the error page shows. */
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
