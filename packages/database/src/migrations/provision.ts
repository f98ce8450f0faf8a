/** Names of one service's database and roles; `-` becomes `_`. */
export interface DatabaseNames {
  database: string
  owner: string
  app: string
  worker: string
}

export const databaseNames = (service: string): DatabaseNames => {
  const base = `wp_${service.replaceAll('-', '_')}`
  return { database: base, owner: `${base}_owner`, app: base, worker: `${base}_worker` }
}
