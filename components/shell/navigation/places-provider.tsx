"use client";

import { createContext, type ReactNode, use } from "react";
import type { TeamPlace } from "@/lib/permissions/list-places";

/** Who is signed in, the teams and campaigns that they can open, and whether they can create teams. */
export type Places = { userId: string; teams: TeamPlace[]; canCreateTeam: boolean };

const PlacesContext = createContext<Places>({ userId: "", teams: [], canCreateTeam: false });

/** Provides the places that the person can open, for links and lists. */
export function PlacesProvider({ children, ...places }: Places & { children: ReactNode }) {
  return <PlacesContext value={places}>{children}</PlacesContext>;
}

/** The places that the person can open. Each page checks again. */
export function usePlaces(): Places {
  return use(PlacesContext);
}
