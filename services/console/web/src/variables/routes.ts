export const variableRoutes = [] as const
