export const agentRoutes = [] as const
