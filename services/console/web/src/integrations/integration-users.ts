/** A resource that uses an integration. */
export interface IntegrationUser {
  service: string
  type: string
  id: string
}

/** Reads the users from the error `integration_in_use`; what is not a user is left out. */
export const readUsers = ({ users }: Readonly<Record<string, unknown>>): IntegrationUser[] =>
  Array.isArray(users) ? users.filter(isUser) : []

const isUser = (value: unknown): value is IntegrationUser =>
  typeof value === 'object' &&
  value !== null &&
  ['service', 'type', 'id'].every((name) => typeof Reflect.get(value, name) === 'string')
