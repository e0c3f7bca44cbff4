// Jenkins: a stage that gates a pull request against its merge base, on an agent with the label `gpu` and one executor.
// The script is the target branch's: the one checked out is the change's.
pipeline {
  agent none
  stages {
    stage('gate') {
      when { changeRequest() }
      agent { label 'gpu' }
      options { lock('gpu') } // two jobs on one GPU disturb each other
      steps {
        sh 'git fetch --no-tags origin "+refs/heads/$CHANGE_TARGET:refs/remotes/origin/$CHANGE_TARGET"'
        script {
          def code = sh(returnStatus: true, script: '''
            gate=$(mktemp)
            git show "origin/$CHANGE_TARGET:ci/gate-merge-base" >"$gate"
            bash "$gate" --base "origin/$CHANGE_TARGET" --results gate-results
          ''')
          if (code == 6) {
            unstable('cupel gate: too much is undecided')
          } else if (code != 0) {
            error("cupel gate: exit code ${code}")
          }
        }
      }
      post {
        always {
          junit testResults: 'gate-results/gate.xml', allowEmptyResults: true
          archiveArtifacts artifacts: 'gate-results/**', allowEmptyArchive: true
        }
      }
    }
  }
}
