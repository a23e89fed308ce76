import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";

/** A dialog that opens by a button, or by a command through a query with `name`. */
export function useRequestedDialog(name: string) {
  const [isOpen, setOpen] = useState(false);
  const { replace } = useRouter();
  const pathname = usePathname();
  const isRequested = useSearchParams().get(name) !== null;
  return {
    isOpen: isOpen || isRequested,
    open: () => setOpen(true),
    close: () => {
      setOpen(false);
      if (isRequested) replace(pathname, { scroll: false });
    },
  };
}
