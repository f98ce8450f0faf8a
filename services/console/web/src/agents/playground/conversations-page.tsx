import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ConversationSummary } from '@wp/contracts'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { useApiQuery, useBaseUrl, useWorkspace } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Time } from '../../ui/values/values.tsx'
import { useAgents } from '../shared/queries.ts'
import { chatSnippet } from '../shared/snippets.ts'
import { ConversationDrawer } from './conversation-drawer.tsx'

const route = getRouteApi('/$workspaceId/agents/conversations')
type ConversationRow = z.output<typeof ConversationSummary>

/** The conversations of chats. One is open beside the list if the address names it. */
export function ConversationsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { conversation: openId, ...filters } = search
  const [deleting, setDeleting] = useState<ConversationRow>()
  const { data: agents } = useAgents()
  const agentNames = useMemo(() => new Map(agents?.map(({ agent_id: id, name }) => [id, name])), [agents])
  const conversations = useApiQuery(
    ['conversations', 'list', filters],
    (api, options) => api.ai.listConversations({ query: { ...filters, limit: 25 } }, options),
    { placeholderData: keepPreviousData },
  )
  const columns = useMemo(() => conversationColumns(agentNames, setDeleting), [agentNames])
  return (
    <ListPage
      title="Assistants"
      area="Assistants"
      description="Your chats. Each message was answered by a run."
      filters={[
        {
          name: 'agent_id',
          label: 'Assistant',
          options: [...agentNames].map(([value, label]) => ({ value, label })),
        },
      ]}
      after={
        <>
          <ConversationDrawer
            conversationId={openId}
            onClose={() => void navigate({ search: changeSearch(search, { conversation: undefined }) })}
          />
          <DeleteConversation conversation={deleting} onClose={() => setDeleting(undefined)} />
        </>
      }
    >
      <PagedTable
        columns={columns}
        page={conversations}
        noun="conversations"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({
          to: '/$workspaceId/agents/conversations',
          search: { ...search, conversation: id },
        })}
        empty={<NoConversations isFiltered={filters.agent_id !== undefined} />}
      />
    </ListPage>
  )
}

const conversationColumns = (
  agentNames: ReadonlyMap<string, string>,
  onDelete: (conversation: ConversationRow) => void,
): readonly Column<ConversationRow>[] => [
  { header: 'Title', cell: ({ title }) => title ?? 'Without a title' },
  {
    header: 'Assistant',
    cell: ({ agent_id: id }) => (id === null ? 'No assistant' : (agentNames.get(id) ?? 'A deleted assistant')),
  },
  { header: 'Messages', cell: ({ message_count }) => message_count, align: 'end', isNarrow: true },
  { header: 'Last message', cell: ({ updated_at }) => <Time value={updated_at} />, isNarrow: true },
  {
    header: '',
    isNarrow: true,
    cell: (conversation) => (
      <ActionMenu
        label={`Actions of ${conversation.title ?? conversation.id}`}
        entries={[{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => onDelete(conversation) }]}
      />
    ),
  },
]

function DeleteConversation({
  conversation,
  onClose,
}: {
  conversation: ConversationRow | undefined
  onClose: () => void
}) {
  const { api, refresh } = useWorkspace()
  const remove = async () => {
    if (conversation === undefined) return
    await api.ai.deleteConversation({ params: { id: conversation.id } })
    await refresh('conversations')
    showSuccess('The conversation was deleted')
  }
  return (
    <ConfirmDialog
      isOpen={conversation !== undefined}
      onClose={onClose}
      title="Delete this conversation?"
      confirmLabel="Delete the conversation"
      onConfirm={remove}
    >
      “{isolate(conversation?.title ?? 'Without a title')}” is deleted with all its messages. The input, output, steps
      and events of its runs are erased; a run in progress is cancelled. This cannot be undone.
    </ConfirmDialog>
  )
}

function NoConversations({ isFiltered }: { isFiltered: boolean }) {
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="chat"
      title={isFiltered ? 'This assistant has no conversations' : 'There is no conversation yet'}
      snippet={<CodeBlock code={chatSnippet(baseUrl)} label="Chat by curl" />}
    >
      A message to the chat endpoint begins a conversation. Questions in the playground are not kept as conversations.
    </EmptyState>
  )
}
