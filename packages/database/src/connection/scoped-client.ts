/**
 * A Prisma client as operations get it.
 *
 * Without `findUnique` and `findUniqueOrThrow`: Prisma gathers those of one tick into one query across ALL callers and
 * runs it in the context of the first, so a workspace's row could answer another workspace's request. `findFirst` is
 * never gathered. Without `$transaction`, `$connect`, `$extends` and the like: the connection and the transaction are
 * not the client's to choose.
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

/** Holds at run time what the type says, for code that casts its way around it. */
export function createScopedClient<Client>(client: Client): ScopedClient<Client> {
  const models = new Map<PropertyKey, unknown>()
  const scoped = !isObject(client)
    ? client
    : new Proxy(client, {
        get(target, key) {
          if (typeof key === 'string' && key.startsWith('$') && !rawQueries.some((raw) => raw === key))
            throwNotOffered(key)
          const value: unknown = Reflect.get(target, key)
          if (typeof value === 'function') return value.bind(target)
          if (!isObject(value)) return value
          if (!models.has(key)) models.set(key, createScopedModel(value))
          return models.get(key)
        },
      })
  // The proxy answers exactly what ScopedClient names and refuses what it leaves out.
  return scoped as ScopedClient<Client>
}

const createScopedModel = (model: object): object =>
  new Proxy(model, {
    get(target, key) {
      if (batchedQueries.some((name) => name === key)) throwNotOffered(String(key))
      return Reflect.get(target, key)
    },
  })

function throwNotOffered(name: string): never {
  throw new Error(`${name} is not offered here: see ScopedClient in @wp/database for the reason`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
