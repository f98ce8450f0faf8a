export const usageRoutes = [] as const
