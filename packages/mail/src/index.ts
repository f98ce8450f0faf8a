export { MailFailure, type MailFailureKind } from './mail-failure.ts'
export { enqueueMail, type NewMail } from './mail-queue.ts'
export { createMailSender, type MailSenderOptions } from './mail-sender.ts'
export {
  type MailBlock,
  type MailTemplate,
  preventAutolinks,
  renderMail,
  toSingleLine,
} from './mail-template.ts'
export {
  createMailTransport,
  createMailTransportFromConfig,
  type MailTransport,
  mailConfig,
  type OutgoingMail,
} from './mail-transport.ts'
export { sealedMails } from './mails.ts'
