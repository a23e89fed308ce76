"use client";

import { createContext, type ReactNode, use } from "react";
import type { TeamPlace } from "@/lib/permissions/list-places";

/** Who is signed in, and the teams and campaigns that she reaches. */
export type Places = { userId: string; teams: TeamPlace[] };

const Reached = createContext<Places>({ userId: "", teams: [] });

/** Hands what one reaches to the components that lead there. */
export function PlacesProvider({ children, ...places }: Places & { children: ReactNode }) {
  return <Reached value={places}>{children}</Reached>;
}

/** What one reaches, as this page knows it: for lists. The pages decide. */
export function usePlaces(): Places {
  return use(Reached);
}
