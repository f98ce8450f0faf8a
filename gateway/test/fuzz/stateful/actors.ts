import { type AccessContext, createAccessContext, type TestFleet } from '@wp/testkit'

export type ActorName = 'A' | 'B'

/** A workspace that acts in a sequence of requests. */
export interface Actor {
  name: ActorName
  /** The context in which access fixtures create resources of this workspace. */
  context: AccessContext
  /** The beginning of the name of everything it creates, in any case, and of nothing in the other workspace. */
  mark: string
}

/** Creates the two actors: each is the owner of its own context. */
export async function createActors(fleet: TestFleet): Promise<Record<ActorName, Actor>> {
  const context = await createAccessContext(fleet)
  const swapped = await createAccessContext({ ...fleet, owner: fleet.stranger, stranger: fleet.owner })
  return { A: createActor('A', context), B: createActor('B', swapped) }
}

function createActor(name: ActorName, context: AccessContext): Actor {
  const mark = `mark${name.toLowerCase()}`
  return { name, mark, context: { ...context, uniqueName: () => `${mark}_${context.uniqueName()}` } }
}
