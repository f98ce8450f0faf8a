export const integrationRoutes = [] as const
