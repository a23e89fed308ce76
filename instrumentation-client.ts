import { showNavigation } from "@/components/shell/navigation/progress";

export const onRouterTransitionStart = showNavigation;
