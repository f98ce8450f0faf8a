/** A service's name in a variable. */
export const toVariableName = (service: string): string => service.toUpperCase().replaceAll('-', '_')

/** The administrator's address of the server that has a service's database, as the environment says; undefined: nothing. */
export const findAdminUrl = (service: string): string | undefined =>
  process.env[`ADMIN_DATABASE_URL_${toVariableName(service)}`] ?? process.env.ADMIN_DATABASE_URL
