import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireTeam } from "@/lib/permissions/require-place";

export const metadata: Metadata = { title: "Page not found" };

/** `/[team]/…`: a URL without a page. */
export default async function NoPage({ params }: { params: Promise<{ team: string }> }) {
  await requireTeam((await params).team);
  notFound();
}
