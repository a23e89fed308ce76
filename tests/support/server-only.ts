// Replaces the package of this name, which throws outside of a server build.
export {};
