/** Names of one service's database and roles; `-` becomes `_`. */
export interface DatabaseNames {
  database: string
  /** Owns the tables; migrates. */
  owner: string
  /** Serves requests, in group `wp_app`. */
  app: string
  /** Serves all workspaces, in group `wp_worker`. */
  worker: string
}

/** Passwords of a service's login roles; one left out is left as it is. */
export interface Passwords {
  owner?: string
  app?: string
  worker?: string
}

/** How a service's database and roles are called. */
export function databaseNames(service: string): DatabaseNames {
  const base = `wp_${service.replaceAll('-', '_')}`
  return { database: base, owner: `${base}_owner`, app: base, worker: `${base}_worker` }
}

/**
 * The three addresses of a service's database on the server of `serverUrl`, whose other parts (host, port, TLS
 * settings) are kept.
 */
export function databaseUrls(
  serverUrl: string,
  service: string,
  passwords: Passwords = {},
  database = databaseNames(service).database,
): { owner: string; app: string; worker: string } {
  const names = databaseNames(service)
  const address = (role: keyof Passwords) => {
    const url = new URL(serverUrl)
    url.pathname = `/${database}`
    url.username = names[role]
    // URL's setter escapes less than pg's parser undoes: `%` must be escaped by hand.
    url.password = encodeURIComponent(passwords[role] ?? '')
    return url.href
  }
  return { owner: address('owner'), app: address('app'), worker: address('worker') }
}

/**
 * The address of a service's database for an administrator that acts as the owner, so that the owner needs no password:
 * the session's role is set as it begins.
 */
export function ownerUrlOf(adminUrl: string, service: string): string {
  const names = databaseNames(service)
  const url = new URL(adminUrl)
  url.pathname = `/${names.database}`
  url.searchParams.set('options', `-c role=${names.owner}`)
  return url.href
}
