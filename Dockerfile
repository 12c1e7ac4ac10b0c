# The image of every Deckhand process: api, control, convert, gateway, migrate and the built-in reader. docker-compose.yml says which
# one a container runs. No process has a build step: Node runs the TypeScript sources as they are. Only the workspace in the browser is bundled.
#
# Every RUN works inside the directory of WORKDIR and needs nothing but Node and npm, so that a test can run the same lines without a
# container engine (tests/compose).

FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install script of a dependency runs: what the processes need comes prebuilt inside the packages.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node node_modules/vite/bin/vite.js build web --logLevel warn
# What only the bundle needed goes.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Prisma requires a schema engine, but `generate` never starts it: any existing file will do, so nothing is downloaded.
RUN PRISMA_SCHEMA_ENGINE_BINARY="$(command -v node)" node node_modules/prisma/build/index.js generate
# Empty directories for the volumes of blobs and fleet, so that they belong to the user of the processes.
RUN mkdir -m 0700 blobs fleet

FROM node:24.21.0-trixie-slim
WORKDIR /app
# Only the blobs and the fleet's keys outlive a container; all other files of a process go to /tmp.
ENV NODE_ENV=production HOME=/tmp DECKHAND_HOME=/tmp/deckhand DECKHAND_BLOB_DIR=/var/lib/deckhand
COPY --from=build /app /app
COPY --from=build --chown=1000:1000 /app/blobs /var/lib/deckhand
COPY --from=build --chown=1000:1000 /app/fleet /var/lib/deckhand-fleet
# The user `node` of the base image, by number so that an engine can tell it is not root.
USER 1000:1000
EXPOSE 8420
CMD ["node", "cli/main.ts", "--help"]
