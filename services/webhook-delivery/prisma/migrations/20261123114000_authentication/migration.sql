-- How the platform authenticates at an endpoint: the public part, and the whole with its secrets, sealed.
ALTER TABLE "subscriptions" ADD COLUMN     "authentication" JSONB,
ADD COLUMN     "authentication_sealed" TEXT;
