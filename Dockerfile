# The workbook in a container: everything installed, built, and open on the first puzzle.
#
#   docker build -t workbook .
#   docker run -it workbook
#
# What you write there ends with the container. To keep it, let the container work on this folder:
#   docker run -it -v "$PWD:/home/learner/workbook" -v workbook-build:/home/learner/workbook/build workbook
FROM debian:bookworm

# The packages first: they are fetched again only when the table changes.
RUN useradd --create-home --uid 1000 --shell /bin/bash learner
WORKDIR /home/learner/workbook
COPY cmake/setup.sh cmake/packages.txt cmake/
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git nano \
  && CI=true cmake/setup.sh run viewer book pictures \
  && rm -rf /var/lib/apt/lists/* \
  && chown -R learner:learner .

USER learner
ENV PATH=/home/learner/workbook/bin:$PATH EDITOR=nano
COPY --chown=learner:learner . .
# A first run compiles what every later one shares: the headers.
RUN cmake/build.sh viewer workbook_viewer workbook_cli workbook_more workbook_sim_libraries \
  && book/build.sh \
  && workbook solution 1 \
  && rm -rf .workbook/runs*

CMD ["bash", "-c", "make puzzle01; exec bash"]
