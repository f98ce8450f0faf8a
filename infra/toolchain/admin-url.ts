/** Converts a service name to the part of an environment variable, such as `WEBHOOK_DELIVERY`. */
export const toVariableName = (service: string): string => service.toUpperCase().replaceAll('-', '_')

/** Returns the administrator's URL of the server with a service's database, from the environment if set. */
export const findAdminUrl = (service: string): string | undefined =>
  process.env[`ADMIN_DATABASE_URL_${toVariableName(service)}`] ?? process.env.ADMIN_DATABASE_URL
