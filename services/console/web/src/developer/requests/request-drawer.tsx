import { useBaseUrl } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { formatDuration } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Cluster, Stack } from '../../ui/page/page.tsx'
import { Badge, DefinitionList, Id, SafeLink, Time } from '../../ui/values/values.tsx'
import { explainStatus, type RequestView, toneOfStatus } from './request-status.ts'

/** A look at one request, beside the list. */
export function RequestDrawer({
  request,
  nameOf,
  onClose,
}: {
  request: RequestView
  nameOf: (id: string) => string
  onClose: () => void
}) {
  const { method, path, status, code, principal } = request
  const baseUrl = useBaseUrl()
  const explanation = explainStatus(status)
  return (
    <Dialog isOpen onClose={onClose} size="drawer" title={`${method} ${path}`}>
      <Stack>
        {explanation !== undefined && (
          <Callout
            tone={status >= 500 ? 'danger' : 'warning'}
            title={code === null ? `HTTP ${status}` : `HTTP ${status}: ${code}`}
          >
            {explanation}
            {code !== null && <SafeLink address={`${baseUrl}/docs/errors/${code}`}>What to do</SafeLink>}
          </Callout>
        )}
        <DefinitionList
          items={[
            [
              'Status',
              <Badge key="status" tone={toneOfStatus(status)}>
                {status}
              </Badge>,
            ],
            ['Time', <Time key="time" value={request.occurred_at} format="absolute" />],
            ['Duration', formatDuration(request.duration_ms)],
            ['Caller', <Caller key="caller" id={principal.id} name={nameOf(principal.id)} />],
            ['Endpoint', <code key="endpoint">{request.endpoint}</code>],
            ['Request id', <Id key="request" value={request.request_id} label="Copy request id" />],
            ['Credential', <Id key="credential" value={request.credential_id} label="Copy credential id" />],
          ]}
        />
        <p>Queries, headers and bodies are not recorded. The request id finds the request in your own logs.</p>
      </Stack>
    </Dialog>
  )
}

/** A caller by name, with a link to its page where there is one, and to its requests. */
function Caller({ id, name }: { id: string; name: string }) {
  const shown = isolate(name)
  return (
    <Cluster>
      {id.startsWith('akey_') ? (
        <Link to="/$workspaceId/developer/keys/$keyId" params={{ keyId: id }}>
          {shown}
        </Link>
      ) : id.startsWith('sp_') ? (
        <Link to="/$workspaceId/developer/service-principals/$clientId" params={{ clientId: id }}>
          {shown}
        </Link>
      ) : (
        <span>{shown}</span>
      )}
    </Cluster>
  )
}
