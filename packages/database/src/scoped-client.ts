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
    ? Omit<Client[Key], 'findUnique' | 'findUniqueOrThrow'>
    : Client[Key]
}

type RawQuery = '$queryRaw' | '$queryRawUnsafe' | '$executeRaw' | '$executeRawUnsafe'
