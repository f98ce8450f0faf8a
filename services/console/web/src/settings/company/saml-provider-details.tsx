import { Callout } from '../../ui/message/message.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge, DefinitionList, Id, Time } from '../../ui/values/values.tsx'
import type { Connection } from './queries.ts'

const soonMs = 30 * 86_400_000

/** The metadata of the connected SAML identity provider. */
export function SamlProviderDetails({
  provider: { metadata_url, checked_at, failure, certificates, encryption_certificate },
  issuer,
}: {
  provider: NonNullable<Connection['saml']>
  issuer: string
}) {
  return (
    <>
      {failure !== null && (
        <Callout tone="warning">
          The last check of the metadata failed, so the earlier one is still used. {failure}.
        </Callout>
      )}
      <DefinitionList
        items={[
          ['Identity provider', <Id key="issuer" value={issuer} label="Copy entity ID" />],
          [
            'Metadata',
            metadata_url === null ? 'From a file' : <Id key="url" value={metadata_url} label="Copy address" />,
          ],
          ['Last read', <Time key="time" value={checked_at} />],
          [
            'Encryption certificate',
            <Id key="certificate" value={encryption_certificate} label="Copy certificate" isCompact />,
          ],
        ]}
      />
      <DataTable
        label="Certificates of the provider"
        columns={[
          { header: 'Certificate', cell: ({ subject, fingerprint }) => subject || fingerprint.slice(0, 23) },
          {
            header: 'Valid until',
            cell: ({ expires_at }) => (
              <>
                <Time value={expires_at} /> <Expiry at={expires_at} />
              </>
            ),
          },
        ]}
        rows={certificates}
        rowKey={({ fingerprint }) => fingerprint}
        empty={null}
      />
    </>
  )
}

function Expiry({ at }: { at: string }) {
  const left = Date.parse(at) - Date.now()
  if (left > soonMs) return null
  return <Badge tone={left > 0 ? 'warning' : 'danger'}>{left > 0 ? 'Ends soon' : 'Ended'}</Badge>
}
