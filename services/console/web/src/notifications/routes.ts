export const notificationRoutes = [] as const
