import { type ComponentType, useEffect, useReducer } from "react";

const retryMs = 2_000;

/**
 * A component such as a dialog, whose code isn't part of a page's first load. It is fetched when the
 * component first shows, or with `whenIdle` as soon as the browser has nothing else to do. Until then it renders nothing; a
 * failed fetch is repeated.
 */
export function lazyLoad<Props extends object>(load: () => Promise<ComponentType<Props>>, { whenIdle = false } = {}) {
  let Loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    Loaded ??= await load();
  };
  if (whenIdle && typeof window !== "undefined") {
    const fetchEarly = () => void preload().catch(() => undefined);
    if ("requestIdleCallback" in window) requestIdleCallback(fetchEarly);
    else addEventListener("load", fetchEarly, { once: true }); // Safari
  }
  function LazyComponent(props: Props) {
    const [attempt, redraw] = useReducer((count: number) => count + 1, 0);
    // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt tries again
    useEffect(() => {
      if (Loaded) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      preload().then(redraw, () => {
        timer = setTimeout(redraw, retryMs);
      });
      return () => clearTimeout(timer);
    }, [attempt]);
    return Loaded && <Loaded {...props} />;
  }
  return Object.assign(LazyComponent, { preload });
}
