const outsideNames =
  /^(DATABASE_URL|REDIS_URL|SITE_URL|NEXT_PUBLIC_.*|SUPABASE_.*|RATE_LIMIT_.*|SIGNET_.*|SEARCHSVC_.*|SEARCH_BACKEND_.*)$/;

/** The environment without variables that could point a test's stack to a real database, Redis or project. */
export const ownEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !outsideNames.test(name))),
  NODE_ENV: "production",
};
