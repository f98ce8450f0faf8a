import { z } from 'zod'

const smtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol),
    'must be an address beginning with smtp:// or smtps://',
  )

/** Environment variables of a service that sends mails. */
export const mailConfig = {
  /** Mail server, `smtp://user:password@host:587`. Without it, no mails are sent. */
  SMTP_URL: smtpUrl.optional(),
  /** Sender of mails. Default `no-reply@` the host of PUBLIC_BASE_URL. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must contain a mail address')
    .optional(),
}
