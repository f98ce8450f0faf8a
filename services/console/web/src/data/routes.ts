export const dataRoutes = [] as const
