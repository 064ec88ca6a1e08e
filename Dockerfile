# The image contains packages and the built site, so a start installs and builds nothing.
# BASE needs Node 24 or newer with npm and glibc. docs/operations.md says how to use the image.
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN node launch.mjs release --folder /madhouse
# SAML=1 adds the optional library of company sign-in.
ARG SAML=
RUN [ -z "$SAML" ] || (cd /madhouse && npm install --no-save --omit=dev \
  "@node-saml/node-saml@$(node -p "require('/source/package.json').devDependencies['@node-saml/node-saml']")")

FROM ${BASE}
# By number, so that a platform that refuses root can see that this user is not root.
RUN mkdir -m 700 /data /keys && chown 10001:10001 /data /keys
WORKDIR /madhouse
COPY --from=build /madhouse .
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "launch.mjs"]
CMD ["start"]
