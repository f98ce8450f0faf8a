export const developerRoutes = [] as const
