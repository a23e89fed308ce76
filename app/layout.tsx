import "./globals.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { NavigationProgress } from "@/components/shell/navigation/progress";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { readTheme } from "@/lib/auth/theme";

export const metadata: Metadata = {
  title: { default: "Signet", template: "%s · Signet" },
  description: "A campaign console for petition teams.",
  robots: { index: false, follow: false },
};

const ground = { light: "#ffffff", dark: "#0f1013" };

/** The color scheme of what the browser draws around the page. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await readTheme();
  if (theme !== "system") return { colorScheme: theme, themeColor: ground[theme] };
  return {
    colorScheme: "light dark",
    themeColor: [
      { media: "(prefers-color-scheme: light)", color: ground.light },
      { media: "(prefers-color-scheme: dark)", color: ground.dark },
    ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={GeistSans.variable} data-theme={await readTheme()}>
      <body className="min-h-dvh font-sans">
        {/* The Content-Security-Policy allows no style elements, not even with a nonce. */}
        <CSPProvider disableStyleElements>
          <NavigationProgress />
          <ScreenKeysProvider>{children}</ScreenKeysProvider>
        </CSPProvider>
      </body>
    </html>
  );
}
