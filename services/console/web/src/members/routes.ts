export const memberRoutes = [] as const
