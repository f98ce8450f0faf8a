/** Names of a service's database and roles; `-` in the service name becomes `_`. */
export interface DatabaseNames {
  database: string
  /** Owns the tables and runs the migrations. */
  owner: string
  /** Serves requests; member of `wp_app`. */
  app: string
  /** Serves all workspaces; member of `wp_worker`. */
  worker: string
}

/** Passwords of a service's login roles; an omitted one is not changed. */
export interface Passwords {
  owner?: string
  app?: string
  worker?: string
  /** Of each operator role, by purpose. */
  operators?: Readonly<Record<string, string>>
}

/**
 * The roles with which operators run commands on a service's database, by service: the purposes, which their names end
 * with. No process of the platform uses them; migrations grant them what the purpose needs.
 */
export const operatorPurposes: Readonly<Record<string, readonly string[]>> = { audit: ['retention', 'erasure'] }

/** Returns the name of an operator role. */
export const operatorRole = (service: string, purpose: string): string => `${databaseNames(service).app}_${purpose}`

/** Returns the names of a service's database and roles. */
export function databaseNames(service: string): DatabaseNames {
  const base = `wp_${service.replaceAll('-', '_')}`
  return { database: base, owner: `${base}_owner`, app: base, worker: `${base}_worker` }
}

/** Returns the connection URLs of a service's three roles. Host, port and parameters come from `serverUrl`. */
export function databaseUrls(
  serverUrl: string,
  service: string,
  passwords: Passwords = {},
  database = databaseNames(service).database,
): { owner: string; app: string; worker: string } {
  const names = databaseNames(service)
  const address = (role: 'owner' | 'app' | 'worker') => {
    const url = new URL(serverUrl)
    url.pathname = `/${database}`
    url.username = names[role]
    // The setter of URL does not escape `%`, but the parser of pg unescapes it.
    url.password = encodeURIComponent(passwords[role] ?? '')
    return url.href
  }
  return { owner: address('owner'), app: address('app'), worker: address('worker') }
}

/**
 * Returns the connection URL with which an administrator acts as the owner of a service's database: the role is set
 * when the session starts, so the owner needs no password.
 */
export function ownerUrlOf(adminUrl: string, service: string): string {
  const names = databaseNames(service)
  const url = new URL(adminUrl)
  url.pathname = `/${names.database}`
  url.searchParams.set('options', `-c role=${names.owner}`)
  return url.href
}
