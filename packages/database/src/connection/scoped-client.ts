/**
 * The restricted Prisma client that operations use.
 *
 * Omits `findUnique` and `findUniqueOrThrow`: Prisma batches the calls of one tick across ALL callers into one query
 * and runs it in the context of the first, so one workspace's request could be answered with another workspace's row.
 * `findFirst` is never batched. Omits `$transaction`, `$connect`, `$extends` and the like, because `read` and
 * `transact` choose the connection and the transaction.
 */
export type ScopedClient<Client> = {
  [Key in keyof Client as Key extends RawQuery ? Key : Key extends `$${string}` ? never : Key]: Client[Key] extends {
    findUnique: unknown
  }
    ? Omit<Client[Key], (typeof batchedQueries)[number]>
    : Client[Key]
}

type RawQuery = (typeof rawQueries)[number]
const rawQueries = ['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$executeRawUnsafe'] as const
const batchedQueries = ['findUnique', 'findUniqueOrThrow'] as const

/** Restricts a Prisma client to `ScopedClient` at run time as well, for code that circumvents the type by a cast. */
export function createScopedClient<Client>(client: Client): ScopedClient<Client> {
  const models = new Map<PropertyKey, unknown>()
  const scoped = !isObject(client)
    ? client
    : new Proxy(client, {
        get(target, key) {
          if (typeof key === 'string' && key.startsWith('$') && !rawQueries.some((raw) => raw === key))
            throwNotAvailable(key)
          const value: unknown = Reflect.get(target, key)
          if (typeof value === 'function') return value.bind(target)
          if (!isObject(value)) return value
          if (!models.has(key)) models.set(key, createScopedModel(value))
          return models.get(key)
        },
      })
  // The proxy offers exactly the members of ScopedClient.
  return scoped as ScopedClient<Client>
}

const createScopedModel = (model: object): object =>
  new Proxy(model, {
    get(target, key) {
      if (batchedQueries.some((name) => name === key)) throwNotAvailable(String(key))
      return Reflect.get(target, key)
    },
  })

function throwNotAvailable(name: string): never {
  throw new Error(`${name} is not available: see ScopedClient in @wp/database for the reason`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
