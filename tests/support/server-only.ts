// Stands in for the package of this name, which throws wherever it is not bundled for the server.
export {};
