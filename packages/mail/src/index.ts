export { mailConfig } from './mail-config.ts'
export { MailFailure, type MailFailureKind } from './mail-failure.ts'
export { enqueueMail, type NewMail } from './mail-queue.ts'
export { createMailSender, type MailSenderOptions } from './mail-sender.ts'
export { type MailBlock, type MailTemplate, renderMail } from './mail-template.ts'
export {
  createMailTransport,
  createMailTransportFromConfig,
  type MailTransport,
  type OutgoingMail,
} from './mail-transport.ts'
export { preventAutolinks, toSingleLine } from './sanitize-text.ts'
export { sealedMails } from './sealed-mails.ts'
