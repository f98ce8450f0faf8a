export const solutionRoutes = [] as const
