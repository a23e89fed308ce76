import "./globals.css";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { NavigationProgress } from "@/components/shell/navigation-progress";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";

export const metadata: Metadata = {
  title: { default: "Signet", template: "%s · Signet" },
  description: "The campaign console of petition teams.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1013" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={GeistSans.variable}>
      <body className="min-h-dvh font-sans">
        <NavigationProgress />
        <ScreenKeysProvider>{children}</ScreenKeysProvider>
      </body>
    </html>
  );
}
