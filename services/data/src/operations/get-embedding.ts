import type { dataEmbedding, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readEmbeddingState } from '../store/embeddings/embedding-choice.ts'
import { embeddingView } from '../views.ts'

export const getEmbedding: Operation<typeof dataEmbedding.getEmbedding, Context> = ({ database }, caller) =>
  database.read(caller, async (_db, query) =>
    embeddingView(caller.workspaceId, await readEmbeddingState(query, caller.workspaceId)),
  )
