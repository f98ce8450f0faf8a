import type { AccessContext, AccessFixtures } from '@wp/testkit'

const chatBody = (content: string) => ({ messages: [{ role: 'user', content }], model: { provider: 'local' } })

const createConversation = (context: AccessContext): Promise<string> =>
  context.createId('/v1/ai/chat', chatBody('Which data is there?'), 'conversation_id')

export const accessFixtures: AccessFixtures = {
  'ai.chat': {
    request: { body: chatBody('Which data is there?') },
    alternativeBody: chatBody('Which other data is there?'),
    foreignReference: async (context) => ({
      body: { ...chatBody('And now?'), conversation_id: await createConversation(context) },
      pointer: '/conversation_id',
    }),
  },
  'ai.listConversations': {},
  'ai.getConversation': { params: async (context) => ({ id: await createConversation(context) }) },
  'ai.deleteConversation': { params: async (context) => ({ id: await createConversation(context) }) },
  'ai.listModels': {},
}
