import { useMutation } from '@tanstack/react-query'
import {
  type NotificationCategory,
  type NotificationSettings,
  type NotificationSettingsPatch,
  notificationCategories,
  notificationChannels,
} from '@wp/contracts'
import { formatName } from '../../ui/format/format.ts'
import { showError } from '../../ui/message/toast.ts'
import styles from '../notifications.module.css'

const channelNames = { in_app: 'Console', email: 'Email', slack: 'Slack' } as const

const hints: Readonly<Record<NotificationCategory, string>> = {
  data: 'Syncs that finished or failed',
  agents: 'Runs that finished or failed',
  forecasts: 'Forecasts and recommendations',
  plans: 'Daily plans of the workplace',
  webhooks: 'Failing deliveries',
  integrations: 'Connections and their loss',
  security: 'Keys, members and invitations',
  billing: 'Invoices, plan and limits',
  audit: 'Compliance exports',
}

/** Chooses the channels of every category. Critical notifications use all of them. */
export function ChannelMatrix({
  settings,
  onSave,
}: {
  settings: NotificationSettings
  onSave: (patch: NotificationSettingsPatch) => Promise<void>
}) {
  const save = useMutation({ mutationFn: onSave, onError: showError })
  // The change that is being saved is shown at once, and taken back if it fails.
  const pending = save.isPending ? save.variables.categories : undefined
  return (
    <div className="scroll-x">
      <table className={styles.matrix} aria-label="Channels by category">
        <thead>
          <tr>
            <th scope="col">Category</th>
            {notificationChannels.map((channel) => (
              <th key={channel} scope="col">
                {channelNames[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              Critical
              <small>
                Always on: a disabled webhook, a new API key or a reached limit must not be missed. Quiet hours and
                digests do not hold them back.
              </small>
            </th>
            {notificationChannels.map((channel) => (
              <td key={channel}>
                <input
                  type="checkbox"
                  checked
                  disabled
                  aria-label={`Critical by ${channelNames[channel]}, always on`}
                />
              </td>
            ))}
          </tr>
          {notificationCategories.map((category) => (
            <tr key={category}>
              <th scope="row">
                {formatName(category)}
                <small>{hints[category]}</small>
              </th>
              {notificationChannels.map((channel) => (
                <td key={channel}>
                  <input
                    type="checkbox"
                    aria-label={`${formatName(category)} by ${channelNames[channel]}`}
                    checked={pending?.[category]?.[channel] ?? settings.categories[category][channel]}
                    onChange={({ target }) =>
                      save.mutate({ categories: { [category]: { [channel]: target.checked } } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
