import { useApiQuery } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Time } from '../../ui/values/values.tsx'
import { AnswerText } from '../answer/answer-text.tsx'
import { Citations } from '../answer/citations.tsx'
import playgroundStyles from './playground.module.css'

/** A conversation with its messages, in a drawer. */
export function ConversationDrawer({
  conversationId,
  onClose,
}: {
  conversationId: string | undefined
  onClose: () => void
}) {
  const conversation = useApiQuery(
    ['conversations', conversationId],
    (api, options) => api.ai.getConversation({ params: { id: conversationId ?? '' } }, options),
    { enabled: conversationId !== undefined },
  )
  return (
    <Dialog
      isOpen={conversationId !== undefined}
      onClose={onClose}
      size="drawer"
      title={conversation.data?.title ?? 'Conversation'}
    >
      {conversation.error && <ErrorMessage error={conversation.error} onRetry={() => void conversation.refetch()} />}
      {conversation.isLoading && (
        <div className="stack-3" role="status" aria-label="Loading the conversation">
          <Skeleton width="60%" />
          <Skeleton width="90%" />
          <Skeleton width="80%" />
        </div>
      )}
      <ol className="stack-5" aria-label="Messages">
        {conversation.data?.messages.map(({ id, role, content, citations, run_id: runId, created_at }) => (
          <li key={id} className="stack-4">
            {role === 'assistant' ? (
              <div className={playgroundStyles.answer}>
                {content === '' ? (
                  <p className="muted">No answer.</p>
                ) : (
                  <AnswerText text={content} citations={citations} />
                )}
                <Citations citations={citations} />
                <div className={playgroundStyles.meta}>
                  <Time value={created_at} format="absolute" />
                  {runId !== null && (
                    <Link to="/$workspaceId/agents/runs/$runId" params={{ runId }}>
                      Open the run
                    </Link>
                  )}
                </div>
              </div>
            ) : (
              <p className={playgroundStyles.question}>{content}</p>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
